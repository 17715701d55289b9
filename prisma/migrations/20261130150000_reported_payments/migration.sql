-- CreateTable
CREATE TABLE "reported_payment" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "reports" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "reported_payment_pkey" PRIMARY KEY ("merchant_account_id","payment_service_id","reference")
);

-- CreateIndex
CREATE INDEX "reported_payment_next_at_idx" ON "reported_payment"("next_at");
