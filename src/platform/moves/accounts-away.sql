-- Reads the merchant accounts that this installation does not serve, with the names of their cells. Accounts on
-- the way out are left out, because their reads go on.
SELECT account, state, cell FROM account_move WHERE state IN ('left', 'forgotten', 'arriving')
