-- CreateTable
CREATE TABLE "buyer" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "display_name" TEXT,
    "external_identifier" TEXT,
    "account_number" TEXT,
    "billing_details" JSONB,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "buyer_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateTable
CREATE TABLE "buyer_term" (
    "merchant_account_id" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "buyer_id" UUID NOT NULL,

    CONSTRAINT "buyer_term_pkey" PRIMARY KEY ("merchant_account_id","term","buyer_id")
);

-- CreateTable
CREATE TABLE "shipping_details" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "buyer_id" UUID NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shipping_details_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- CreateIndex
CREATE INDEX "buyer_term_merchant_account_id_buyer_id_idx" ON "buyer_term"("merchant_account_id", "buyer_id");

-- CreateIndex
CREATE INDEX "shipping_details_merchant_account_id_buyer_id_id_idx" ON "shipping_details"("merchant_account_id", "buyer_id", "id");

-- AddForeignKey
ALTER TABLE "buyer" ADD CONSTRAINT "buyer_merchant_account_id_fkey" FOREIGN KEY ("merchant_account_id") REFERENCES "merchant_account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "buyer_term" ADD CONSTRAINT "buyer_term_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shipping_details" ADD CONSTRAINT "shipping_details_merchant_account_id_buyer_id_fkey" FOREIGN KEY ("merchant_account_id", "buyer_id") REFERENCES "buyer"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

CREATE UNIQUE INDEX "buyer_external_identifier_key" ON "buyer" ("merchant_account_id", "external_identifier")
    WHERE "deleted_at" IS NULL;

-- By code point, so that "begins with" is a range of the index, whatever the database sorts by.
ALTER TABLE "buyer_term" ALTER COLUMN "term" TYPE TEXT COLLATE "C";
