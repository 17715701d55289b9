-- CreateTable
CREATE TABLE "payment_service_circuit" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "try_again_at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "failed_trials" INTEGER NOT NULL,
    "answered_trials" INTEGER NOT NULL,

    CONSTRAINT "payment_service_circuit_pkey" PRIMARY KEY ("merchant_account_id","payment_service_id")
);

-- AlterTable
ALTER TABLE "transaction" ADD COLUMN "circuits" JSONB;

-- AddForeignKey
ALTER TABLE "payment_service_circuit" ADD CONSTRAINT "payment_service_circuit_merchant_account_id_payment_servic_fkey" FOREIGN KEY ("merchant_account_id", "payment_service_id") REFERENCES "payment_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "payment_service_circuit"
    ADD CONSTRAINT "payment_service_circuit_counts_check" CHECK (
        "version" >= 1 AND "failures" >= 1 AND "calls" >= "failures" AND "failed_trials" >= 0
            AND "answered_trials" >= 0
    ),
    ADD CONSTRAINT "payment_service_circuit_times_check" CHECK ("opened_at" <= "try_again_at");
