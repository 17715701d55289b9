-- By hand: validates the reference under a lock that lets payments go on.
ALTER TABLE "payment_link" VALIDATE CONSTRAINT "payment_link_merchant_account_id_routing_version_id_fkey";
