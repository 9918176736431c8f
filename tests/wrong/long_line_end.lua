-- The place is behind the last character of a line that is cut; what follows the line is not shown.
x = value_0 + value_1 + value_2 + value_3 + value_4 + value_5 + value_6 + value_7 + value_8 + value_9 + value_10 + value_11 + value_12 + value_13 + value_14 + value_15 + value_16 + value_17 + value_18 + value_19 + value_20 + value_21 + value_22 + value_23 + value_24 + value_25 + value_26 + value_27 + value_28 + value_29 +


-- the next line
