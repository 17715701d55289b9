-- Reads the merchant accounts that this installation does not serve, with the names of their cells. Leaves
-- out accounts that are about to leave, because their reads go on.
SELECT account, state, cell FROM account_move WHERE state IN ('left', 'forgotten', 'arriving')
