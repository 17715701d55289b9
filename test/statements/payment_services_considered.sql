-- $1 method, $2 currency, $3 country, $4 service, $5 definitions, $6 unserving, $7 authenticates, $8 passesThrough, $9 notPassing, $10 unsplitting, $11 unchoosing, $12 knownTo, $13 means, $14 unable, $15 guarded, $16 storesToken, $17 account, $18 max
WITH judged AS (
  SELECT s.id, s.definition_id, s.position, array_remove(ARRAY[CASE WHEN (s.active) IS NOT TRUE THEN 'inactive' END, CASE WHEN (s.status <> 'failed') IS NOT TRUE THEN 'not_ready' END, CASE WHEN (s.method = $1) IS NOT TRUE THEN 'method' END, CASE WHEN ($2 = ANY (s.accepted_currencies)) IS NOT TRUE THEN 'currency' END, CASE WHEN (($3::text IS NULL OR $3 = ANY (s.accepted_countries))) IS NOT TRUE THEN 'country' END, CASE WHEN (($4::uuid IS NULL OR s.id = $4)) IS NOT TRUE THEN 'not_requested' END, CASE WHEN (s.definition_id = ANY ($5)) IS NOT TRUE THEN 'unavailable' END, CASE WHEN (s.definition_id <> ALL ($6)) IS NOT TRUE THEN 'intent' END, CASE WHEN ((NOT $7::bool OR s.three_d_secure_enabled)) IS NOT TRUE THEN 'three_d_secure' END, CASE WHEN ((NOT $8::bool OR s.definition_id <> ALL ($9))) IS NOT TRUE THEN 'three_d_secure_pass_through' END, CASE WHEN (s.definition_id <> ALL ($10)) IS NOT TRUE THEN 'installments' END, CASE WHEN (s.definition_id <> ALL ($11)) IS NOT TRUE THEN 'card_network_choice' END, CASE WHEN ((s.id = ANY ($12::uuid[]) OR ($13::text IS DISTINCT FROM 'raw_card_data' OR s.definition_id <> ALL ($14) AND (s.definition_id <> ALL ($15) OR s.fields @> jsonb_build_array(jsonb_build_object('key', $13::text, 'value', 'true')))))) IS NOT TRUE THEN 'raw_card_data' END, CASE WHEN (($13::text IS DISTINCT FROM 'apple_pay' OR s.definition_id <> ALL ($14))) IS NOT TRUE THEN 'apple_pay' END, CASE WHEN (($13::text IS DISTINCT FROM 'google_pay' OR s.definition_id <> ALL ($14))) IS NOT TRUE THEN 'google_pay' END, CASE WHEN (($13::text IS DISTINCT FROM 'provider_tokens' OR s.definition_id <> ALL ($14))) IS NOT TRUE THEN 'provider_tokens' END, CASE WHEN ((NOT $16::bool OR s.payment_method_tokenization_enabled)) IS NOT TRUE THEN 'payment_method_tokenization' END, CASE WHEN (($13::text IS DISTINCT FROM 'network_tokens' OR s.definition_id <> ALL ($14) AND s.network_tokens_enabled AND (s.definition_id <> ALL ($15) OR s.fields @> jsonb_build_array(jsonb_build_object('key', $13::text, 'value', 'true'))))) IS NOT TRUE THEN 'network_tokens' END], NULL) AS reasons
  FROM payment_service s WHERE s.merchant_account_id = $17 AND s.deleted_at IS NULL
), placed AS (
  SELECT id, definition_id, reasons, count(*) OVER ()::int AS total,
         count(*) FILTER (WHERE reasons = '{}') OVER ()::int AS accepting,
         bool_or(reasons = '{intent}') OVER () AS intent_alone,
         row_number() OVER (ORDER BY position, id) AS place,
         row_number() OVER (PARTITION BY reasons = '{}' ORDER BY position, id) AS place_among_alike
  FROM judged
)
SELECT id, definition_id AS "definitionId", reasons, total, accepting,
       intent_alone AS "intentAlone", (place <= $18 OR id = $4) IS TRUE AS listed
FROM placed
WHERE place <= $18 OR id = $4 OR (reasons = '{}' AND place_among_alike <= $18)
ORDER BY place
