-- By hand: a link keeps the CSS colour as the merchant gave it. A parser checks the colour.
ALTER TABLE "payment_link"
    DROP CONSTRAINT "payment_link_merchant_color_check",
    ADD CONSTRAINT "payment_link_merchant_color_check" CHECK (char_length("merchant_color") BETWEEN 1 AND 100);
