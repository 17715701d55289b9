-- By hand: reads the events once, under a lock that lets payments go on.
ALTER TABLE "event" VALIDATE CONSTRAINT "event_position_check";
