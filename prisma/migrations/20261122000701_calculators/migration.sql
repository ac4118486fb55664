-- CreateTable
CREATE TABLE "rule_set" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "calculator" TEXT NOT NULL,
    "country" VARCHAR(2) NOT NULL,
    "effectiveFrom" DATE NOT NULL,
    "version" INTEGER NOT NULL,
    "values" JSONB NOT NULL,
    "unverified" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "verifiedBy" TEXT,
    "note" TEXT,
    "createdByUserId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rule_set_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateIndex
CREATE INDEX "rule_set_companyId_calculator_country_effectiveFrom_idx" ON "rule_set"("companyId", "calculator", "country", "effectiveFrom");

-- CreateIndex
CREATE UNIQUE INDEX "rule_set_companyId_calculator_country_version_key" ON "rule_set"("companyId", "calculator", "country", "version");

-- Filed under no branch: the whole company calculates by them; what was once in force is neither changed nor deleted.
call ctx.protect('rule_set', 'company', 'select, insert');
alter table rule_set add constraint rule_set_version_positive check ("version" > 0);
