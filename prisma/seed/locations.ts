import { iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const day = 86_400_000

const places = [
  {
    name: 'Head office',
    kind: 'Office',
    address: 'Kimathi Street, Nairobi',
    latitude: -1.28472,
    longitude: 36.82284,
    note: 'Open 8 to 17, Saturday to noon',
  },
  { name: 'Thika pay point', kind: 'Pay point', address: 'Kenyatta Highway, Thika', latitude: -1.03326, longitude: 37.06933, note: null },
  {
    name: 'Athi River yard',
    kind: 'Yard',
    address: 'Mombasa Road, Athi River',
    latitude: -1.45633,
    longitude: 36.97826,
    note: 'Ring at the gate; repossessed vehicles by appointment',
  },
] as const

/** A few places of each company, added by its first administrator. */
export function companyLocations({ company, users, now }: { company: DemoCompany; users: readonly DemoUser[]; now: number }): object[] {
  const admin = users.find(({ role }) => role === 'admin')
  if (!admin) return []
  return places.map((place, index) => ({
    ...place,
    companyId: admin.companyId,
    id: demoId(`location ${company.key}`, index),
    tenantId: admin.tenantIds[0],
    createdByUserId: admin.id,
    dateCreated: iso(now - (index + 20) * day),
  }))
}
