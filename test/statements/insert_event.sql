-- $1 account, $2 id, $3 name, $4 targetType, $5 targetId, $6 payload, $7 createdAt
INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
VALUES ($1, $2::uuid, $3, $4, $5, $6, $7)
