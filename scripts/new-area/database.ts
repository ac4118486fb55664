import type { AreaNames } from './names.ts'

/** Prisma's model of a new record: the columns that every record has, and one of its own as a start. */
export const modelSource = ({ model, table, label }: AreaNames) => `/// ${label}: say here what one is.
model ${model} {
  companyId       String    @db.Uuid
  id              String    @default(uuid(7)) @db.Uuid
  tenantId        String    @db.Uuid
  name            String
  note            String?
  createdByUserId String?   @db.Uuid
  version         BigInt    @default(1)
  dateCreated     DateTime  @default(now()) @db.Timestamptz(3)
  dateModified    DateTime  @default(now()) @db.Timestamptz(3)
  deletedAt       DateTime? @db.Timestamptz(3)

  @@id([companyId, id])
  @@index([companyId, dateCreated(sort: Desc), id])
  @@index([companyId, tenantId])
  @@map("${table}")
}
`

/** The migration that creates its table with row-level security for company and tenant. */
export const migrationSource = ({ table }: AreaNames) => `create table "${table}" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "name" text not null,
  "note" text,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "${table}_pkey" primary key ("companyId", "id")
);
create index "${table}_companyId_dateCreated_id_idx" on "${table}"("companyId", "dateCreated" desc, "id");
create index "${table}_companyId_tenantId_idx" on "${table}"("companyId", "tenantId");
call ctx.protect('${table}', 'tenant');
`

/** Its demo rows: one per loan officer. */
export const seedSource = ({ models, label }: AreaNames) => `import { iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const day = 86_400_000

/** A ${label.toLowerCase()} of each loan officer, a day apart. */
export function company${models}({ company, users, now }: { company: DemoCompany, users: readonly DemoUser[], now: number }): object[] {
  return users.filter(({ role }) => role === 'officer').map(({ id, companyId, tenantIds, firstName }, index) => ({
    companyId, id: demoId(\`${label.toLowerCase()} \${company.key}\`, index), tenantId: tenantIds[0], name: \`${label} of \${firstName}\`, note: null, createdByUserId: id, dateCreated: iso(now - index * day),
  }))
}
`
