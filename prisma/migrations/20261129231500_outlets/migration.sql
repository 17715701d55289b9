-- CreateTable
CREATE TABLE "outlet" (
    "name" TEXT NOT NULL,
    "lease" UUID NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outlet_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "outlet_position" (
    "outlet" TEXT NOT NULL,
    "merchant_account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "outlet_position_pkey" PRIMARY KEY ("outlet","merchant_account_id")
);
