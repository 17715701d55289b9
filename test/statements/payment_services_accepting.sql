-- $1 account, $2 method, $3 currency, $4 country, $5 service, $6 definitions, $7 unserving, $8 authenticates, $9 passesThrough, $10 notPassing, $11 unsplitting, $12 unchoosing, $13 knownTo, $14 means, $15 unable, $16 guarded, $17 storesToken
SELECT s.id, s.definition_id AS "definitionId", s.fields, s.sealed_fields AS "sealedFields",
       s.display_name AS "displayName", s.position, s.three_d_secure_enabled AS "threeDSecureEnabled",
       s.three_d_secure_fallback AS "threeDSecureFallback",
       s.payment_method_tokenization_enabled AS "paymentMethodTokenizationEnabled",
       s.open_loop AS "openLoop", s.merchant_profile AS "merchantProfile",
       (SELECT a.id FROM anti_fraud_service a
        WHERE a.merchant_account_id = $1 AND a.active AND a.deleted_at IS NULL) AS "antiFraudServiceId"
FROM payment_service s
WHERE s.merchant_account_id = $1 AND s.deleted_at IS NULL AND s.active AND s.status <> 'failed' AND s.method = $2 AND $3 = ANY (s.accepted_currencies) AND ($4::text IS NULL OR $4 = ANY (s.accepted_countries)) AND ($5::uuid IS NULL OR s.id = $5) AND s.definition_id = ANY ($6) AND s.definition_id <> ALL ($7) AND (NOT $8::bool OR s.three_d_secure_enabled) AND (NOT $9::bool OR s.definition_id <> ALL ($10)) AND s.definition_id <> ALL ($11) AND s.definition_id <> ALL ($12) AND (s.id = ANY ($13::uuid[]) OR ($14::text IS DISTINCT FROM 'raw_card_data' OR s.definition_id <> ALL ($15) AND (s.definition_id <> ALL ($16) OR s.fields @> jsonb_build_array(jsonb_build_object('key', $14::text, 'value', 'true'))))) AND ($14::text IS DISTINCT FROM 'apple_pay' OR s.definition_id <> ALL ($15)) AND ($14::text IS DISTINCT FROM 'google_pay' OR s.definition_id <> ALL ($15)) AND ($14::text IS DISTINCT FROM 'provider_tokens' OR s.definition_id <> ALL ($15)) AND (NOT $17::bool OR s.payment_method_tokenization_enabled) AND ($14::text IS DISTINCT FROM 'network_tokens' OR s.definition_id <> ALL ($15) AND s.network_tokens_enabled AND (s.definition_id <> ALL ($16) OR s.fields @> jsonb_build_array(jsonb_build_object('key', $14::text, 'value', 'true'))))
ORDER BY s.position, s.id
