-- CreateTable
CREATE TABLE "client" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "phonenumber" TEXT NOT NULL,
    "trimmedPhonenumber" TEXT NOT NULL,
    "emailAddress" TEXT,
    "idNumber" TEXT,
    "empNumber" TEXT,
    "employer" TEXT,
    "type" TEXT,
    "status" TEXT NOT NULL DEFAULT 'Active',
    "assignedUserId" UUID,
    "createdByUserId" UUID NOT NULL,
    "location" TEXT,
    "lineone" TEXT,
    "city" TEXT,
    "postcode" TEXT,
    "state" TEXT,
    "country" TEXT,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "syncSeq" BIGINT NOT NULL DEFAULT 0,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateIndex
CREATE INDEX "client_companyId_dateCreated_id_idx" ON "client"("companyId", "dateCreated" DESC, "id");

-- CreateIndex
CREATE INDEX "client_companyId_tenantId_dateCreated_idx" ON "client"("companyId", "tenantId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "client_companyId_trimmedPhonenumber_idx" ON "client"("companyId", "trimmedPhonenumber");

-- CreateIndex
CREATE INDEX "client_companyId_idNumber_idx" ON "client"("companyId", "idNumber");

-- CreateIndex
CREATE INDEX "client_companyId_leadId_idx" ON "client"("companyId", "leadId");

-- CreateIndex
CREATE INDEX "client_companyId_assignedUserId_idx" ON "client"("companyId", "assignedUserId");

-- CreateIndex
CREATE INDEX "client_search" ON "client" USING GIN ("companyId" uuid_ops, "searchText" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "client" ADD CONSTRAINT "client_companyId_leadId_fkey" FOREIGN KEY ("companyId", "leadId") REFERENCES "lead"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

call ctx.protect('client', 'tenant');
create function ctx.client_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."firstName", new."lastName", new."phonenumber", new."trimmedPhonenumber", new."emailAddress", new."idNumber", new."empNumber")); return new; end $$;
create trigger search_text before insert or update on client for each row execute function ctx.client_search_text();
alter table client add constraint client_email_lower check ("emailAddress" = lower("emailAddress"));
-- One person is converted once.
create unique index client_lead_once on client ("companyId", "leadId") where "leadId" is not null and "deletedAt" is null;
