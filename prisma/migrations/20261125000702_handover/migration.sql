-- Work that went from a deactivated user to another one, so that it comes back when the user does.
CREATE TABLE "user_handover" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "fromUserId" UUID NOT NULL,
    "toUserId" UUID NOT NULL,
    "moved" JSONB NOT NULL,
    "byUserId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undoneAt" TIMESTAMPTZ(3),

    CONSTRAINT "user_handover_pkey" PRIMARY KEY ("companyId","id")
);
CREATE INDEX "user_handover_companyId_fromUserId_idx" ON "user_handover"("companyId", "fromUserId");
call ctx.protect('user_handover', 'company', 'select, insert, update');
