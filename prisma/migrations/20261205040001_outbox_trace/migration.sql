-- A job continues the trace of the request that enqueued it (W3C traceparent: ids only). Empty without a collector.
ALTER TABLE "outbox" ADD COLUMN "trace" TEXT;
