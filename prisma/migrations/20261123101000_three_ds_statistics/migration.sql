-- By hand: how many payments have an authentication. Without this figure, the planner expects that all have one, and reads
-- them all when a list is not sorted by creation.
CREATE STATISTICS "transaction_three_ds_source" ON ("three_d_secure"->>'source') FROM "transaction";
