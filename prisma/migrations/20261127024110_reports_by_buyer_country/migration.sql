-- Earlier facts have no sum by this dimension. After an upgrade, run `paygraph rebuild-reports --write` once.

-- Each row already fits the wider condition, so no row is read here.
ALTER TABLE "report_bucket" DROP CONSTRAINT "report_bucket_dimension_check";
ALTER TABLE "report_bucket"
    ADD CONSTRAINT "report_bucket_dimension_check" CHECK (
        "dimension" IN ('all', 'payment_service', 'method', 'scheme', 'card_country', 'country', 'buyer_country', 'payment_source',
            'three_d_secure', 'decline_code')
    ) NOT VALID;
