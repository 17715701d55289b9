-- AlterTable
ALTER TABLE "history_entry" ADD COLUMN     "actor" JSONB;

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "actor" JSONB;

-- CreateTable
CREATE TABLE "audit_entry" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT,
    "hash" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "merchant_account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "floor_sequence" BIGINT NOT NULL DEFAULT 0,
    "floor_hash" TEXT NOT NULL DEFAULT '',
    "seal" TEXT NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("merchant_account_id")
);

-- CreateIndex
CREATE INDEX "audit_entry_merchant_account_id_target_id_id_idx" ON "audit_entry"("merchant_account_id", "target_id", "id");

-- CreateIndex
CREATE INDEX "audit_entry_merchant_account_id_actor_id_id_idx" ON "audit_entry"("merchant_account_id", "actor_id", "id");

-- By hand from here: what the models cannot say.

-- The entries that no process has chained yet.
CREATE INDEX "audit_entry_unchained_idx" ON "audit_entry" ("id") WHERE "sequence" IS NULL;

-- The order of a chain has no place twice.
CREATE UNIQUE INDEX "audit_entry_sequence_key" ON "audit_entry" ("merchant_account_id", "sequence")
    WHERE "sequence" IS NOT NULL;

-- An entry stays as it was written. The chain adds its sequence and hash once. Only the retention removes entries, and its
-- transactions say so.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('paygraph.retention', true) = 'on' THEN
        RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD."sequence" IS NULL AND OLD."hash" IS NULL
        AND (to_jsonb(NEW) - 'sequence' - 'hash') = (to_jsonb(OLD) - 'sequence' - 'hash') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- A UUID of version 7. Its first 48 bits are the milliseconds of the clock.
CREATE FUNCTION "audit_id"("moment" timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM "moment") * 1000)::bigint) FROM 3)
            FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Writes an entry with the actor of the transaction. A statement without an actor comes from background work, or from
-- somebody who uses the database without Paygraph. A null account means the account of the request.
CREATE FUNCTION "write_audit_entry"(
    "account" text, "action" text, "target_type" text, "target_id" text, "was" jsonb, "becomes" jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "who" jsonb := nullif(current_setting('paygraph.actor', true), '')::jsonb;
    "program" text := current_setting('application_name');
    "moment" timestamptz := clock_timestamp();
BEGIN
    IF "who" IS NULL THEN
        "who" := CASE WHEN "program" = 'paygraph' THEN '{"kind": "system", "id": null}'
            WHEN "program" LIKE 'paygraph %' THEN jsonb_build_object('kind', 'command', 'id', substr("program", 10))
            ELSE jsonb_build_object('kind', 'database', 'id', session_user) END;
    END IF;
    INSERT INTO "audit_entry" ("merchant_account_id", "id", "action", "target_type", "target_id", "actor_kind", "actor_id",
        "actor", "before", "after", "created_at")
    VALUES (coalesce("account", "who" ->> 'merchantAccountId', 'default'), "audit_id"("moment"), "action", "target_type",
        "target_id", "who" ->> 'kind', "who" ->> 'id', ("who" - 'merchantAccountId')::text, "was"::text, "becomes"::text,
        "moment");
END
$$;

-- Keeps the fields of a row that the audit log shows. A hidden field only tells whether it has a value.
CREATE FUNCTION "audit_fields"("fields" jsonb, "shown" text[], "hidden" text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_object_agg("name", CASE
        WHEN "name" = ANY ("hidden") AND "fields" -> "name" <> 'null' THEN '"(hidden)"'
        ELSE "fields" -> "name" END)
    FROM unnest("shown" || "hidden") AS "name" WHERE "fields" ? "name"
$$;

-- Writes the entry of a changed row. Arguments: the noun of the action, the type of the target, the column with the
-- target's id, the shown columns, the hidden columns.
CREATE FUNCTION "audit_change"() RETURNS trigger LANGUAGE plpgsql SET "TimeZone" TO 'UTC' AS $$
DECLARE
    "was" jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    "becomes" jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    "current" jsonb := coalesce("becomes", "was");
    "shown" text[] := string_to_array(TG_ARGV[3], ',');
    "hidden" text[] := string_to_array(TG_ARGV[4], ',');
    "change" text := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'DELETE' THEN 'deleted' ELSE 'updated' END;
    "changed" text[];
    "account" text;
    "accounts" text[];
BEGIN
    IF TG_OP = 'UPDATE' THEN
        SELECT array_agg("name") INTO "changed" FROM unnest("shown" || "hidden") AS "name"
        WHERE "was" -> "name" IS DISTINCT FROM "becomes" -> "name";
        -- A rotation of keys seals the same values again. The entries of the data keys tell of the rotation.
        IF current_setting('application_name') = 'paygraph rotate-keys'
            AND NOT EXISTS (SELECT FROM unnest("changed") AS "name" WHERE "name" NOT LIKE 'sealed%') THEN
            RETURN NULL;
        END IF;
        IF "was" ->> 'deleted_at' IS NULL AND "becomes" ->> 'deleted_at' IS NOT NULL THEN
            "change" := 'deleted';
        END IF;
    ELSE
        SELECT array_agg("name") INTO "changed" FROM unnest("shown" || "hidden") AS "name"
        WHERE "current" -> "name" <> 'null';
    END IF;
    "shown" := ARRAY(SELECT unnest("shown") INTERSECT SELECT unnest("changed"));
    "hidden" := ARRAY(SELECT unnest("hidden") INTERSECT SELECT unnest("changed"));
    "accounts" := CASE TG_TABLE_NAME
        WHEN 'merchant_account' THEN ARRAY["current" ->> 'id']
        WHEN 'api_key_pair' THEN ARRAY(SELECT jsonb_array_elements_text(nullif("current" -> 'merchant_account_ids', 'null')))
        ELSE ARRAY["current" ->> 'merchant_account_id'] END;
    -- A key for every account belongs to the instance.
    IF cardinality("accounts") = 0 THEN
        "accounts" := ARRAY[NULL];
    END IF;
    FOREACH "account" IN ARRAY "accounts" LOOP
        PERFORM "write_audit_entry"("account", TG_ARGV[0] || '.' || "change", TG_ARGV[1], "current" ->> TG_ARGV[2],
            "audit_fields"("was", "shown", "hidden"), "audit_fields"("becomes", "shown", "hidden"));
    END LOOP;
    RETURN NULL;
END
$$;

-- Writes the entry of an operation: its request with the amount, and its outcome. Payments are frequent, so the function
-- reads only the columns that it needs.
CREATE FUNCTION "audit_operation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "noun" text := CASE NEW."kind" WHEN 'authorize' THEN 'authorization' WHEN 'unredeem' THEN 'reversal'
        WHEN 'redeem' THEN 'redemption' ELSE NEW."kind" END;
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM "write_audit_entry"(NEW."merchant_account_id", "noun" || '.requested', 'transaction',
            NEW."transaction_id"::text, NULL, jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status",
                'amount', NEW."amount", 'currency', NEW."currency", 'payment_service_id', NEW."payment_service_id",
                'external_identifier', NEW."external_identifier", 'reason', NEW."reason")));
    ELSE
        PERFORM "write_audit_entry"(NEW."merchant_account_id", "noun" || '.' || NEW."status", 'transaction',
            NEW."transaction_id"::text,
            jsonb_build_object('operation_id', NEW."id", 'status', OLD."status", 'amount', OLD."amount"),
            jsonb_strip_nulls(jsonb_build_object('operation_id', NEW."id", 'status', NEW."status", 'amount', NEW."amount",
                'error_code', NEW."error_code")));
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "operation_audited" AFTER INSERT ON "operation"
    FOR EACH ROW EXECUTE FUNCTION "audit_operation"();
CREATE TRIGGER "operation_outcome_audited" AFTER UPDATE ON "operation"
    FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION "audit_operation"();

CREATE TRIGGER "merchant_account_audited" AFTER INSERT OR DELETE ON "merchant_account"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage', '');
CREATE TRIGGER "merchant_account_change_audited" AFTER UPDATE ON "merchant_account"
    FOR EACH ROW WHEN ((OLD."display_name", OLD."over_capture_amount", OLD."over_capture_percentage") IS DISTINCT FROM (NEW."display_name", NEW."over_capture_amount", NEW."over_capture_percentage"))
    EXECUTE FUNCTION "audit_change"('merchant-account', 'merchant-account', 'id', 'display_name,over_capture_amount,over_capture_percentage', '');

CREATE TRIGGER "api_key_pair_audited" AFTER INSERT OR DELETE ON "api_key_pair"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('api-key-pair', 'api-key-pair', 'id', 'display_name,thumbprint,algorithm,scopes,active,expires_at', 'merchant_account_ids,public_key');
CREATE TRIGGER "api_key_pair_change_audited" AFTER UPDATE ON "api_key_pair"
    FOR EACH ROW WHEN ((OLD."display_name", OLD."thumbprint", OLD."algorithm", OLD."scopes", OLD."active", OLD."expires_at", OLD."merchant_account_ids", OLD."public_key") IS DISTINCT FROM (NEW."display_name", NEW."thumbprint", NEW."algorithm", NEW."scopes", NEW."active", NEW."expires_at", NEW."merchant_account_ids", NEW."public_key"))
    EXECUTE FUNCTION "audit_change"('api-key-pair', 'api-key-pair', 'id', 'display_name,thumbprint,algorithm,scopes,active,expires_at', 'merchant_account_ids,public_key');

CREATE TRIGGER "payment_service_audited" AFTER INSERT OR DELETE ON "payment_service"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('payment-service', 'payment-service', 'id', 'definition_id,method,display_name,position,active,status,accepted_currencies,accepted_countries,fields,merchant_profile,three_d_secure_enabled,three_d_secure_fallback,payment_method_tokenization_enabled,network_tokens_enabled,open_loop,settlement_reporting_enabled,deleted_at', 'sealed_fields,reporting_fields,webhook_token');
CREATE TRIGGER "payment_service_change_audited" AFTER UPDATE ON "payment_service"
    FOR EACH ROW WHEN ((OLD."definition_id", OLD."method", OLD."display_name", OLD."position", OLD."active", OLD."status", OLD."accepted_currencies", OLD."accepted_countries", OLD."fields", OLD."merchant_profile", OLD."three_d_secure_enabled", OLD."three_d_secure_fallback", OLD."payment_method_tokenization_enabled", OLD."network_tokens_enabled", OLD."open_loop", OLD."settlement_reporting_enabled", OLD."deleted_at", OLD."sealed_fields", OLD."reporting_fields", OLD."webhook_token") IS DISTINCT FROM (NEW."definition_id", NEW."method", NEW."display_name", NEW."position", NEW."active", NEW."status", NEW."accepted_currencies", NEW."accepted_countries", NEW."fields", NEW."merchant_profile", NEW."three_d_secure_enabled", NEW."three_d_secure_fallback", NEW."payment_method_tokenization_enabled", NEW."network_tokens_enabled", NEW."open_loop", NEW."settlement_reporting_enabled", NEW."deleted_at", NEW."sealed_fields", NEW."reporting_fields", NEW."webhook_token"))
    EXECUTE FUNCTION "audit_change"('payment-service', 'payment-service', 'id', 'definition_id,method,display_name,position,active,status,accepted_currencies,accepted_countries,fields,merchant_profile,three_d_secure_enabled,three_d_secure_fallback,payment_method_tokenization_enabled,network_tokens_enabled,open_loop,settlement_reporting_enabled,deleted_at', 'sealed_fields,reporting_fields,webhook_token');

CREATE TRIGGER "anti_fraud_service_audited" AFTER INSERT OR DELETE ON "anti_fraud_service"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('anti-fraud-service', 'anti-fraud-service', 'id', 'definition_id,display_name,active,newer_interface_enabled,fields,deleted_at', 'sealed_fields,webhook_token');
CREATE TRIGGER "anti_fraud_service_change_audited" AFTER UPDATE ON "anti_fraud_service"
    FOR EACH ROW WHEN ((OLD."definition_id", OLD."display_name", OLD."active", OLD."newer_interface_enabled", OLD."fields", OLD."deleted_at", OLD."sealed_fields", OLD."webhook_token") IS DISTINCT FROM (NEW."definition_id", NEW."display_name", NEW."active", NEW."newer_interface_enabled", NEW."fields", NEW."deleted_at", NEW."sealed_fields", NEW."webhook_token"))
    EXECUTE FUNCTION "audit_change"('anti-fraud-service', 'anti-fraud-service', 'id', 'definition_id,display_name,active,newer_interface_enabled,fields,deleted_at', 'sealed_fields,webhook_token');

CREATE TRIGGER "buyer_audited" AFTER INSERT OR DELETE ON "buyer"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('buyer', 'buyer', 'id', 'external_identifier,deleted_at', 'display_name,account_number,billing_details');
CREATE TRIGGER "buyer_change_audited" AFTER UPDATE ON "buyer"
    FOR EACH ROW WHEN ((OLD."external_identifier", OLD."deleted_at", OLD."display_name", OLD."account_number", OLD."billing_details") IS DISTINCT FROM (NEW."external_identifier", NEW."deleted_at", NEW."display_name", NEW."account_number", NEW."billing_details"))
    EXECUTE FUNCTION "audit_change"('buyer', 'buyer', 'id', 'external_identifier,deleted_at', 'display_name,account_number,billing_details');

CREATE TRIGGER "shipping_details_audited" AFTER INSERT OR DELETE ON "shipping_details"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('shipping-details', 'shipping-details', 'id', 'buyer_id', 'details');
CREATE TRIGGER "shipping_details_change_audited" AFTER UPDATE ON "shipping_details"
    FOR EACH ROW WHEN ((OLD."buyer_id", OLD."details") IS DISTINCT FROM (NEW."buyer_id", NEW."details"))
    EXECUTE FUNCTION "audit_change"('shipping-details', 'shipping-details', 'id', 'buyer_id', 'details');

CREATE TRIGGER "gift_card_audited" AFTER INSERT OR DELETE ON "gift_card"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('gift-card', 'gift-card', 'id', 'buyer_id,payment_service_id,currency,balance,deleted_at', 'sealed_number,sealed_pin,expiration_date');
CREATE TRIGGER "gift_card_change_audited" AFTER UPDATE ON "gift_card"
    FOR EACH ROW WHEN ((OLD."buyer_id", OLD."payment_service_id", OLD."currency", OLD."balance", OLD."deleted_at", OLD."sealed_number", OLD."sealed_pin", OLD."expiration_date") IS DISTINCT FROM (NEW."buyer_id", NEW."payment_service_id", NEW."currency", NEW."balance", NEW."deleted_at", NEW."sealed_number", NEW."sealed_pin", NEW."expiration_date"))
    EXECUTE FUNCTION "audit_change"('gift-card', 'gift-card', 'id', 'buyer_id,payment_service_id,currency,balance,deleted_at', 'sealed_number,sealed_pin,expiration_date');

CREATE TRIGGER "payment_method_audited" AFTER INSERT OR DELETE ON "payment_method"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('payment-method', 'payment-method', 'id', 'method,instrument_type,status,buyer_id,external_identifier,country,currency,deleted_at', 'expiration_date,sealed_instrument');
CREATE TRIGGER "payment_method_change_audited" AFTER UPDATE ON "payment_method"
    FOR EACH ROW WHEN ((OLD."status", OLD."buyer_id", OLD."external_identifier", OLD."country", OLD."currency", OLD."deleted_at", OLD."expiration_date", OLD."sealed_instrument") IS DISTINCT FROM (NEW."status", NEW."buyer_id", NEW."external_identifier", NEW."country", NEW."currency", NEW."deleted_at", NEW."expiration_date", NEW."sealed_instrument"))
    EXECUTE FUNCTION "audit_change"('payment-method', 'payment-method', 'id', 'method,instrument_type,status,buyer_id,external_identifier,country,currency,deleted_at', 'expiration_date,sealed_instrument');

CREATE TRIGGER "three_ds_scenario_audited" AFTER INSERT OR DELETE ON "three_ds_scenario"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('three-ds-scenario', 'three-ds-scenario', 'id', 'position,amount,external_identifier,enrollment,version,authentication,challenge_result,updated_at', 'first_name,last_name,email_address,card_bin,card_last_four,card_fingerprint');
CREATE TRIGGER "three_ds_scenario_change_audited" AFTER UPDATE ON "three_ds_scenario"
    FOR EACH ROW WHEN (OLD."updated_at" IS DISTINCT FROM NEW."updated_at")
    EXECUTE FUNCTION "audit_change"('three-ds-scenario', 'three-ds-scenario', 'id', 'position,amount,external_identifier,enrollment,version,authentication,challenge_result,updated_at', 'first_name,last_name,email_address,card_bin,card_last_four,card_fingerprint');

CREATE TRIGGER "payment_link_audited" AFTER INSERT OR DELETE ON "payment_link"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('payment-link', 'payment-link', 'id', 'status,amount,currency,country,intent,store,external_identifier,buyer_id,metadata,return_url,expires_at', '');
CREATE TRIGGER "payment_link_change_audited" AFTER UPDATE ON "payment_link"
    FOR EACH ROW WHEN ((OLD."status") IS DISTINCT FROM (NEW."status"))
    EXECUTE FUNCTION "audit_change"('payment-link', 'payment-link', 'id', 'status,amount,currency,country,intent,store,external_identifier,buyer_id,metadata,return_url,expires_at', '');

CREATE TRIGGER "webhook_endpoint_audited" AFTER INSERT OR DELETE ON "webhook_endpoint"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('webhook-endpoint', 'webhook-endpoint', 'id', 'url,description,event_names,auto_disable,header_names,basic_auth_username,disabled_at,deleted_at', 'sealed_headers,sealed_basic_password');
CREATE TRIGGER "webhook_endpoint_change_audited" AFTER UPDATE ON "webhook_endpoint"
    FOR EACH ROW WHEN ((OLD."url", OLD."description", OLD."event_names", OLD."auto_disable", OLD."header_names", OLD."basic_auth_username", OLD."disabled_at", OLD."deleted_at", OLD."sealed_headers", OLD."sealed_basic_password") IS DISTINCT FROM (NEW."url", NEW."description", NEW."event_names", NEW."auto_disable", NEW."header_names", NEW."basic_auth_username", NEW."disabled_at", NEW."deleted_at", NEW."sealed_headers", NEW."sealed_basic_password"))
    EXECUTE FUNCTION "audit_change"('webhook-endpoint', 'webhook-endpoint', 'id', 'url,description,event_names,auto_disable,header_names,basic_auth_username,disabled_at,deleted_at', 'sealed_headers,sealed_basic_password');

CREATE TRIGGER "webhook_secret_audited" AFTER INSERT OR DELETE ON "webhook_secret"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('webhook-secret', 'webhook-endpoint', 'endpoint_id', 'expires_at', 'sealed');
CREATE TRIGGER "webhook_secret_change_audited" AFTER UPDATE ON "webhook_secret"
    FOR EACH ROW WHEN ((OLD."expires_at", OLD."sealed") IS DISTINCT FROM (NEW."expires_at", NEW."sealed"))
    EXECUTE FUNCTION "audit_change"('webhook-secret', 'webhook-endpoint', 'endpoint_id', 'expires_at', 'sealed');

CREATE TRIGGER "replay_job_audited" AFTER INSERT OR DELETE ON "replay_job"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('replay-job', 'replay-job', 'id', 'endpoint_id,scope,from_sequence,until_sequence,state', '');
CREATE TRIGGER "replay_job_change_audited" AFTER UPDATE ON "replay_job"
    FOR EACH ROW WHEN ((OLD."state") IS DISTINCT FROM (NEW."state"))
    EXECUTE FUNCTION "audit_change"('replay-job', 'replay-job', 'id', 'endpoint_id,scope,from_sequence,until_sequence,state', '');

CREATE TRIGGER "data_key_audited" AFTER INSERT OR DELETE ON "data_key"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('data-key', 'data-key', 'id', 'purpose,version,key_encryption_key,retired_at', 'wrapped');
CREATE TRIGGER "data_key_change_audited" AFTER UPDATE ON "data_key"
    FOR EACH ROW WHEN ((OLD."purpose", OLD."version", OLD."key_encryption_key", OLD."retired_at", OLD."wrapped") IS DISTINCT FROM (NEW."purpose", NEW."version", NEW."key_encryption_key", NEW."retired_at", NEW."wrapped"))
    EXECUTE FUNCTION "audit_change"('data-key', 'data-key', 'id', 'purpose,version,key_encryption_key,retired_at', 'wrapped');

CREATE TRIGGER "transaction_change_audited" AFTER UPDATE ON "transaction"
    FOR EACH ROW WHEN ((OLD."external_identifier", OLD."metadata", OLD."fraud_review") IS DISTINCT FROM (NEW."external_identifier", NEW."metadata", NEW."fraud_review"))
    EXECUTE FUNCTION "audit_change"('transaction', 'transaction', 'id', 'external_identifier,metadata,fraud_review', '');
