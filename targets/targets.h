/* targets/targets.h: hands the tables of targets, machines and cards to core. */
#ifndef MOONTILE_TARGETS_H
#define MOONTILE_TARGETS_H

void targets_init(void); /* first of all in main() */

#endif
