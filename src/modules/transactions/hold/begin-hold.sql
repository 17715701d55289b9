-- Holds payments back, and writes an audit entry for each merchant account. The function locks the table of
-- operations until the commit. Answers false, and writes nothing, when payments are held back already.
SELECT hold_payments(jsonb_build_object('restored_to', @restoredTo::timestamptz,
    'payments_since', @paymentsSince::timestamptz), @startedAt::timestamptz) AS begun
