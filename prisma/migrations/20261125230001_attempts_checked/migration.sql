-- By hand: reads the attempts once, under a lock that lets deliveries go on.
ALTER TABLE "delivery_attempt" VALIDATE CONSTRAINT "delivery_attempt_position_check";
