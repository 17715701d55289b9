-- CreateTable
CREATE TABLE "unanswered_payment" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "tries" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3),

    CONSTRAINT "unanswered_payment_pkey" PRIMARY KEY ("merchant_account_id","payment_service_id","transaction_id")
);
