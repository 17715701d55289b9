-- CreateTable
CREATE TABLE "routing_figures" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "content" JSONB NOT NULL,

    CONSTRAINT "routing_figures_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "routing_figures_round" (
    "merchant_account_id" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_figures_round_pkey" PRIMARY KEY ("merchant_account_id")
);

-- CreateIndex
CREATE INDEX "routing_figures_round_next_at_idx" ON "routing_figures_round"("next_at");
