-- Counts, without a lock, the authorisations of a payment's card for its amount since @since, up to @most.
SELECT card_attempts(@account::text, @method::uuid, @amount::int, @currency::text, @since::timestamptz,
    @most::int) AS attempts
