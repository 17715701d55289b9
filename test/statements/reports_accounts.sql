SELECT id FROM merchant_account ORDER BY id
