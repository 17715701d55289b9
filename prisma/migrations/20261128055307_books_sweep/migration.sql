-- CreateTable
CREATE TABLE "books_sweep" (
    "merchant_account_id" TEXT NOT NULL,
    "payment_service_id" UUID NOT NULL,
    "places" JSONB NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "books_sweep_pkey" PRIMARY KEY ("merchant_account_id","payment_service_id")
);

-- CreateIndex
CREATE INDEX "books_sweep_next_at_idx" ON "books_sweep"("next_at");
