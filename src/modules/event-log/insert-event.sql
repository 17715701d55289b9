-- Writes one event with its envelope, whose text is fixed at the time of the change. The table gives the
-- position.
INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
VALUES (@account::text, @id::uuid, @name::text, @targetType::text, @targetId::text, @payload::text,
  @createdAt::timestamptz, @traceparent::text)
