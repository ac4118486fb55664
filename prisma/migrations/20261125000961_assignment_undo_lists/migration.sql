-- What giving a lead changed, so that it can be undone.
ALTER TABLE "lead_assignment" ADD COLUMN     "formerStatus" TEXT,
ADD COLUMN     "formerTenantId" UUID,
ADD COLUMN     "formerUserId" UUID;
