-- By hand: looks for the feed entry of each delivery once, under locks that let payments and deliveries go on.
ALTER TABLE "delivery" VALIDATE CONSTRAINT "delivery_position_fkey";
