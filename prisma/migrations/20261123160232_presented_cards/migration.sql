-- CreateTable
CREATE TABLE "presented_card" (
    "merchant_account_id" TEXT NOT NULL,
    "bin" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "fingerprints" TEXT[],
    "failures" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "presented_card_pkey" PRIMARY KEY ("merchant_account_id","bin","last_four")
);

-- CreateIndex
CREATE INDEX "presented_card_since_idx" ON "presented_card"("since");
