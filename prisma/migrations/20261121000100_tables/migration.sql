-- CreateTable
CREATE TABLE "activity_type" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" SMALLINT NOT NULL DEFAULT 1,
    "colour" TEXT,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_type_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_status" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" SMALLINT NOT NULL DEFAULT 1,
    "default" BOOLEAN NOT NULL DEFAULT false,
    "meaning" TEXT NOT NULL DEFAULT 'open',
    "colour" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_status_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "parentId" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "activityTypeId" UUID,
    "statusId" UUID,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "location" TEXT,
    "lat" DECIMAL(9,6),
    "lng" DECIMAL(9,6),
    "startDate" TIMESTAMPTZ(3) NOT NULL,
    "endDate" TIMESTAMPTZ(3) NOT NULL,
    "createdUserId" UUID NOT NULL,
    "createdBy" TEXT NOT NULL,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "syncSeq" BIGINT NOT NULL DEFAULT 0,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "activity_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_assignment" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "statusId" UUID,
    "statusText" TEXT,
    "statusDateCreated" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_assignment_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_lead" (
    "companyId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,

    CONSTRAINT "activity_lead_pkey" PRIMARY KEY ("companyId","activityId","leadId")
);

-- CreateTable
CREATE TABLE "agent_action" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "performedByUserId" UUID NOT NULL,
    "action" SMALLINT NOT NULL,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "accuracy" DECIMAL(10,2),
    "deviceTime" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_action_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "emailAddress" TEXT,
    "phonenumber" TEXT NOT NULL,
    "trimmedPhonenumber" TEXT NOT NULL,
    "countryCode" TEXT,
    "contactNumber" TEXT,
    "idNumber" TEXT,
    "empNumber" TEXT,
    "employer" TEXT,
    "type" TEXT,
    "source" TEXT NOT NULL DEFAULT 'UI',
    "status" TEXT NOT NULL DEFAULT 'New',
    "statusReason" TEXT,
    "assignedUserId" UUID,
    "createdByUserId" UUID NOT NULL,
    "leadCreatedBy" TEXT NOT NULL,
    "addressId" UUID,
    "location" TEXT,
    "lineone" TEXT,
    "city" TEXT,
    "postcode" TEXT,
    "state" TEXT,
    "country" TEXT,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "notes" TEXT,
    "consentStatus" TEXT NOT NULL DEFAULT 'NONE PROVIDED',
    "consentDate" TIMESTAMPTZ(3),
    "installmentAmount" DECIMAL(18,2),
    "totalAffordability" DECIMAL(18,2),
    "affordabilityOutcome" TEXT NOT NULL DEFAULT 'NONE',
    "affordabilityDate" TIMESTAMPTZ(3),
    "onboarding" JSONB,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "syncSeq" BIGINT NOT NULL DEFAULT 0,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "lead_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead_address" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'HOME',
    "lineone" TEXT,
    "linetwo" TEXT,
    "city" TEXT,
    "postcode" TEXT,
    "state" TEXT,
    "country" TEXT,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_address_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead_status_log" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "fromStatus" TEXT,
    "toStatus" TEXT NOT NULL,
    "reason" TEXT,
    "userId" UUID NOT NULL,
    "realUserId" UUID NOT NULL,
    "durationSeconds" BIGINT,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_status_log_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead_assignment" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "assignedByUserId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "lead_assignment_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead_consent" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "purpose" TEXT NOT NULL DEFAULT 'CREDIT_CHECK',
    "channel" TEXT NOT NULL DEFAULT 'SMS',
    "mobileNumber" TEXT NOT NULL,
    "textVersion" TEXT NOT NULL,
    "textHash" BYTEA NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'REQUESTED',
    "tokenHash" BYTEA,
    "requestedByUserId" UUID,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answeredAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "evidence" JSONB,

    CONSTRAINT "lead_consent_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "onboarding_draft" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "leadId" UUID,
    "step" INTEGER NOT NULL DEFAULT 0,
    "furthest" INTEGER NOT NULL DEFAULT 0,
    "data" JSONB NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "onboarding_draft_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "userId" UUID,
    "status" TEXT NOT NULL DEFAULT 'new',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "runAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "doneAt" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "companyId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "userId" UUID,
    "realUserId" UUID,
    "action" TEXT NOT NULL,
    "objectType" TEXT NOT NULL,
    "objectId" TEXT,
    "before" JSONB,
    "after" JSONB,
    "ip" TEXT,
    "requestId" TEXT,
    "previousHash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("companyId","seq")
);

-- CreateTable
CREATE TABLE "stored_file" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "storageKey" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mimeType" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "sha256" BYTEA NOT NULL,
    "ownerType" TEXT,
    "ownerId" UUID,
    "createdByUserId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "stored_file_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "report_run" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "report" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "format" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "rows" BIGINT NOT NULL DEFAULT 0,
    "totalRows" BIGINT,
    "scope" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "storageKey" TEXT,
    "fileName" TEXT,
    "error" TEXT,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "report_run_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "notification" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "itemType" TEXT NOT NULL,
    "itemId" UUID,
    "message" TEXT NOT NULL,
    "link" TEXT,
    "readAt" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "push_device" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "token" TEXT NOT NULL,
    "sessionId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_device_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "error_log" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "entityId" TEXT,
    "entityType" TEXT NOT NULL,
    "errorDetail" TEXT NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "error_log_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "credential" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "mustChange" BOOLEAN NOT NULL DEFAULT false,
    "changedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failedCount" INTEGER NOT NULL DEFAULT 0,
    "nextTryAt" TIMESTAMPTZ(3),

    CONSTRAINT "credential_pkey" PRIMARY KEY ("companyId","userId")
);

-- CreateTable
CREATE TABLE "password_history" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "changedByUserId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_history_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "session" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "policy" TEXT NOT NULL DEFAULT 'office',
    "deviceId" UUID,
    "userAgent" TEXT,
    "ip" TEXT,
    "parentId" UUID,
    "actorUserId" UUID,
    "actorCompanyId" UUID,
    "reason" TEXT,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "endReason" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "companyId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "sessionId" UUID NOT NULL,
    "parentHash" BYTEA,
    "successor" BYTEA,
    "usedAt" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("companyId","tokenHash")
);

-- CreateTable
CREATE TABLE "one_time_token" (
    "companyId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "sessionId" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("companyId","tokenHash")
);

-- CreateTable
CREATE TABLE "oauth_client" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "clientId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectUris" TEXT[],
    "status" SMALLINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_client_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "login_event" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "ip" TEXT,
    "userAgent" TEXT,
    "actorUserId" UUID,
    "detail" TEXT,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_event_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "user_device" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT,
    "sessionId" UUID,
    "isBiometric" BOOLEAN NOT NULL DEFAULT false,
    "wipe" BOOLEAN NOT NULL DEFAULT false,
    "revokedAt" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_device_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "sync_stream" (
    "companyId" UUID NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "minSeq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "sync_stream_pkey" PRIMARY KEY ("companyId")
);

-- CreateTable
CREATE TABLE "sync_receipt" (
    "companyId" UUID NOT NULL,
    "changeId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "deviceId" UUID,
    "clientSeq" BIGINT,
    "userId" UUID,
    "entityType" TEXT NOT NULL,
    "entityId" UUID NOT NULL,
    "changeType" TEXT NOT NULL,
    "baseVersion" BIGINT NOT NULL DEFAULT 0,
    "result" TEXT NOT NULL,
    "detail" JSONB,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sync_receipt_pkey" PRIMARY KEY ("companyId","changeId")
);

-- CreateTable
CREATE TABLE "sync_feed" (
    "companyId" UUID NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "op" TEXT NOT NULL,

    CONSTRAINT "sync_feed_pkey" PRIMARY KEY ("companyId","entityType","entityId","tenantId")
);

-- CreateTable
CREATE TABLE "sync_conflict" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "changeId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityId" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "base" JSONB,
    "mine" JSONB,
    "theirs" JSONB,
    "state" TEXT NOT NULL DEFAULT 'open',
    "resolvedByUserId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sync_conflict_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "sync_dead_letter" (
    "companyId" UUID NOT NULL,
    "changeId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "envelope" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "handledByUserId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sync_dead_letter_pkey" PRIMARY KEY ("companyId","changeId")
);

-- CreateTable
CREATE TABLE "sync_device" (
    "companyId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "lastSeen" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "appVersion" TEXT,
    "pendingCount" INTEGER NOT NULL DEFAULT 0,
    "oldestPendingAt" TIMESTAMPTZ(3),
    "maxClientSeq" BIGINT NOT NULL DEFAULT 0,
    "persisted" BOOLEAN NOT NULL DEFAULT false,
    "clockSkewMs" BIGINT NOT NULL DEFAULT 0,
    "cursor" TEXT,
    "schema" INTEGER NOT NULL DEFAULT 1,
    "lossSuspectedAt" TIMESTAMPTZ(3),

    CONSTRAINT "sync_device_pkey" PRIMARY KEY ("companyId","deviceId","userId")
);

-- CreateTable
CREATE TABLE "tenant" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "parentId" UUID,
    "groupId" UUID,
    "type" SMALLINT NOT NULL,
    "name" TEXT NOT NULL,
    "shortCode" TEXT NOT NULL,
    "path" UUID[],
    "location" TEXT,
    "lat" DECIMAL(9,6),
    "lng" DECIMAL(9,6),
    "locationRequired" BOOLEAN NOT NULL DEFAULT false,
    "country" CHAR(2),
    "currency" CHAR(3),
    "timeZone" TEXT,
    "phone" TEXT,
    "emailAddress" TEXT,
    "address" TEXT,
    "status" SMALLINT NOT NULL DEFAULT 1,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "language_label" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "label" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "language_label_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "saved_view" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "screen" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL DEFAULT 'user',
    "userId" UUID,
    "roleId" UUID,
    "tenantId" UUID,
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "state" JSONB NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "app_user" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userName" TEXT NOT NULL,
    "emailAddress" TEXT NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "mobile" TEXT,
    "jobTitle" TEXT,
    "tenantId" UUID NOT NULL,
    "selectedTenantId" UUID,
    "status" SMALLINT NOT NULL DEFAULT 1,
    "tours" JSONB NOT NULL DEFAULT '{}',
    "emailVerifiedAt" TIMESTAMPTZ(3),
    "lastSeenAt" TIMESTAMPTZ(3),
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "app_user_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "user_tenant" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "user_tenant_pkey" PRIMARY KEY ("companyId","userId","tenantId")
);

-- CreateTable
CREATE TABLE "role" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "systemRole" TEXT,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "role_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "role_permission" (
    "companyId" UUID NOT NULL,
    "roleId" UUID NOT NULL,
    "hierarchy" TEXT NOT NULL,

    CONSTRAINT "role_permission_pkey" PRIMARY KEY ("companyId","roleId","hierarchy")
);

-- CreateTable
CREATE TABLE "user_role" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "roleId" UUID NOT NULL,

    CONSTRAINT "user_role_pkey" PRIMARY KEY ("companyId","userId","roleId")
);

-- CreateTable
CREATE TABLE "user_permission" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "hierarchy" TEXT NOT NULL,

    CONSTRAINT "user_permission_pkey" PRIMARY KEY ("companyId","userId","hierarchy")
);

-- CreateIndex
CREATE UNIQUE INDEX "activity_type_companyId_tenantId_name_key" ON "activity_type"("companyId", "tenantId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "activity_status_companyId_tenantId_name_key" ON "activity_status"("companyId", "tenantId", "name");

-- CreateIndex
CREATE INDEX "activity_companyId_startDate_id_idx" ON "activity"("companyId", "startDate" DESC, "id");

-- CreateIndex
CREATE INDEX "activity_companyId_tenantId_startDate_idx" ON "activity"("companyId", "tenantId", "startDate");

-- CreateIndex
CREATE INDEX "activity_search" ON "activity" USING GIN ("companyId" uuid_ops, "searchText" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "activity_assignment_companyId_userId_idx" ON "activity_assignment"("companyId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "activity_assignment_companyId_activityId_userId_key" ON "activity_assignment"("companyId", "activityId", "userId");

-- CreateIndex
CREATE INDEX "activity_lead_companyId_leadId_idx" ON "activity_lead"("companyId", "leadId");

-- CreateIndex
CREATE INDEX "agent_action_companyId_performedByUserId_dateCreated_idx" ON "agent_action"("companyId", "performedByUserId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "lead_companyId_dateCreated_id_idx" ON "lead"("companyId", "dateCreated" DESC, "id");

-- CreateIndex
CREATE INDEX "lead_companyId_tenantId_dateCreated_idx" ON "lead"("companyId", "tenantId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "lead_companyId_trimmedPhonenumber_idx" ON "lead"("companyId", "trimmedPhonenumber");

-- CreateIndex
CREATE INDEX "lead_companyId_emailAddress_idx" ON "lead"("companyId", "emailAddress");

-- CreateIndex
CREATE INDEX "lead_companyId_idNumber_idx" ON "lead"("companyId", "idNumber");

-- CreateIndex
CREATE INDEX "lead_companyId_assignedUserId_idx" ON "lead"("companyId", "assignedUserId");

-- CreateIndex
CREATE INDEX "lead_companyId_status_idx" ON "lead"("companyId", "status");

-- CreateIndex
CREATE INDEX "lead_search" ON "lead" USING GIN ("companyId" uuid_ops, "searchText" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "lead_address_companyId_leadId_idx" ON "lead_address"("companyId", "leadId");

-- CreateIndex
CREATE INDEX "lead_status_log_companyId_leadId_dateCreated_idx" ON "lead_status_log"("companyId", "leadId", "dateCreated");

-- CreateIndex
CREATE INDEX "lead_assignment_companyId_leadId_idx" ON "lead_assignment"("companyId", "leadId");

-- CreateIndex
CREATE INDEX "lead_assignment_companyId_userId_idx" ON "lead_assignment"("companyId", "userId");

-- CreateIndex
CREATE INDEX "lead_consent_companyId_leadId_requestedAt_idx" ON "lead_consent"("companyId", "leadId", "requestedAt" DESC);

-- CreateIndex
CREATE INDEX "lead_consent_tokenHash_idx" ON "lead_consent"("tokenHash");

-- CreateIndex
CREATE INDEX "onboarding_draft_companyId_userId_dateModified_idx" ON "onboarding_draft"("companyId", "userId", "dateModified" DESC);

-- CreateIndex
CREATE INDEX "outbox_status_runAt_idx" ON "outbox"("status", "runAt");

-- CreateIndex
CREATE INDEX "audit_log_companyId_objectType_objectId_idx" ON "audit_log"("companyId", "objectType", "objectId");

-- CreateIndex
CREATE INDEX "audit_log_companyId_at_idx" ON "audit_log"("companyId", "at" DESC);

-- CreateIndex
CREATE INDEX "stored_file_companyId_ownerType_ownerId_idx" ON "stored_file"("companyId", "ownerType", "ownerId");

-- CreateIndex
CREATE UNIQUE INDEX "stored_file_companyId_path_key" ON "stored_file"("companyId", "path");

-- CreateIndex
CREATE INDEX "report_run_companyId_userId_dateCreated_idx" ON "report_run"("companyId", "userId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "notification_companyId_userId_readAt_dateCreated_idx" ON "notification"("companyId", "userId", "readAt", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "push_device_companyId_userId_idx" ON "push_device"("companyId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "push_device_companyId_tokenHash_key" ON "push_device"("companyId", "tokenHash");

-- CreateIndex
CREATE INDEX "error_log_companyId_dateCreated_idx" ON "error_log"("companyId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "error_log_companyId_entityId_idx" ON "error_log"("companyId", "entityId");

-- CreateIndex
CREATE INDEX "password_history_companyId_userId_dateCreated_idx" ON "password_history"("companyId", "userId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "session_companyId_userId_idx" ON "session"("companyId", "userId");

-- CreateIndex
CREATE INDEX "session_companyId_parentId_idx" ON "session"("companyId", "parentId");

-- CreateIndex
CREATE INDEX "refresh_token_tokenHash_idx" ON "refresh_token"("tokenHash");

-- CreateIndex
CREATE INDEX "refresh_token_companyId_sessionId_idx" ON "refresh_token"("companyId", "sessionId");

-- CreateIndex
CREATE INDEX "one_time_token_tokenHash_idx" ON "one_time_token"("tokenHash");

-- CreateIndex
CREATE INDEX "one_time_token_companyId_userId_idx" ON "one_time_token"("companyId", "userId");

-- CreateIndex
CREATE INDEX "oauth_client_clientId_idx" ON "oauth_client"("clientId");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_client_companyId_clientId_key" ON "oauth_client"("companyId", "clientId");

-- CreateIndex
CREATE INDEX "login_event_companyId_dateCreated_idx" ON "login_event"("companyId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "login_event_companyId_userId_dateCreated_idx" ON "login_event"("companyId", "userId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "user_device_companyId_userId_idx" ON "user_device"("companyId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "sync_receipt_companyId_seq_key" ON "sync_receipt"("companyId", "seq");

-- CreateIndex
CREATE INDEX "sync_feed_companyId_seq_idx" ON "sync_feed"("companyId", "seq");

-- CreateIndex
CREATE INDEX "sync_conflict_companyId_state_dateCreated_idx" ON "sync_conflict"("companyId", "state", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "sync_dead_letter_companyId_state_dateCreated_idx" ON "sync_dead_letter"("companyId", "state", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "tenant_companyId_parentId_idx" ON "tenant"("companyId", "parentId");

-- CreateIndex
CREATE INDEX "tenant_groupId_idx" ON "tenant"("groupId");

-- CreateIndex
CREATE INDEX "tenant_path_idx" ON "tenant" USING GIN ("path");

-- CreateIndex
CREATE UNIQUE INDEX "tenant_companyId_shortCode_key" ON "tenant"("companyId", "shortCode");

-- CreateIndex
CREATE UNIQUE INDEX "language_label_companyId_language_label_key" ON "language_label"("companyId", "language", "label");

-- CreateIndex
CREATE INDEX "saved_view_companyId_screen_idx" ON "saved_view"("companyId", "screen");

-- CreateIndex
CREATE INDEX "app_user_companyId_tenantId_idx" ON "app_user"("companyId", "tenantId");

-- CreateIndex
CREATE INDEX "app_user_companyId_dateCreated_idx" ON "app_user"("companyId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "app_user_emailAddress_idx" ON "app_user"("emailAddress");

-- CreateIndex
CREATE INDEX "app_user_userName_idx" ON "app_user"("userName");

-- CreateIndex
CREATE UNIQUE INDEX "app_user_companyId_emailAddress_key" ON "app_user"("companyId", "emailAddress");

-- CreateIndex
CREATE UNIQUE INDEX "app_user_companyId_userName_key" ON "app_user"("companyId", "userName");

-- CreateIndex
CREATE INDEX "user_tenant_companyId_tenantId_idx" ON "user_tenant"("companyId", "tenantId");

-- CreateIndex
CREATE UNIQUE INDEX "role_companyId_name_key" ON "role"("companyId", "name");

-- CreateIndex
CREATE INDEX "user_role_companyId_roleId_idx" ON "user_role"("companyId", "roleId");

-- AddForeignKey
ALTER TABLE "activity" ADD CONSTRAINT "activity_companyId_activityTypeId_fkey" FOREIGN KEY ("companyId", "activityTypeId") REFERENCES "activity_type"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_assignment" ADD CONSTRAINT "activity_assignment_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_lead" ADD CONSTRAINT "activity_lead_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "lead_address" ADD CONSTRAINT "lead_address_companyId_leadId_fkey" FOREIGN KEY ("companyId", "leadId") REFERENCES "lead"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tenant" ADD CONSTRAINT "tenant_companyId_parentId_fkey" FOREIGN KEY ("companyId", "parentId") REFERENCES "tenant"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_tenant" ADD CONSTRAINT "user_tenant_companyId_userId_fkey" FOREIGN KEY ("companyId", "userId") REFERENCES "app_user"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "role_permission" ADD CONSTRAINT "role_permission_companyId_roleId_fkey" FOREIGN KEY ("companyId", "roleId") REFERENCES "role"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_companyId_userId_fkey" FOREIGN KEY ("companyId", "userId") REFERENCES "app_user"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_companyId_roleId_fkey" FOREIGN KEY ("companyId", "roleId") REFERENCES "role"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
