-- How long an assessment holds, in days; empty: the program's 90.
ALTER TABLE "tenant" ADD COLUMN     "assessmentDays" SMALLINT;
alter table tenant add constraint tenant_assessment_days check ("assessmentDays" between 1 and 365);

-- A contact point that was changed waits for the word of another person before consent is asked there.
ALTER TABLE "lead" ADD COLUMN     "contactChangedAt" TIMESTAMPTZ(3),
ADD COLUMN     "contactChangedByUserId" UUID;

-- Marketing is asked once a person: the numbers that were asked are looked up across leads.
CREATE INDEX "lead_consent_companyId_mobileNumber_idx" ON "lead_consent"("companyId", "mobileNumber");
