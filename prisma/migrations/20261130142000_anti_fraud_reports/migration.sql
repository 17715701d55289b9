-- CreateTable
CREATE TABLE "anti_fraud_report" (
    "merchant_account_id" TEXT NOT NULL,
    "anti_fraud_service_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "anti_fraud_report_pkey" PRIMARY KEY ("merchant_account_id","anti_fraud_service_id")
);

-- AddForeignKey
ALTER TABLE "anti_fraud_report" ADD CONSTRAINT "anti_fraud_report_merchant_account_id_anti_fraud_service_i_fkey" FOREIGN KEY ("merchant_account_id", "anti_fraud_service_id") REFERENCES "anti_fraud_service"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
