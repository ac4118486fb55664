/** In a page: a store in which very many new leads wait, as if their person had written them one by one. */
export interface LongLog {
  count: number
  /** The database is of this company, the changes of this device. */
  owner: { userId: string; companyId: string; deviceId: string; tenantId: string }
  /** Begins the phone numbers of the leads, which two of them may not share. */
  phones: string
}

export interface LongStore {
  takeOver(work: object): Promise<void>
  takeBatch(limits: object): Promise<{ changeId: string; clientSeq: number; entityId: string; snapshot?: object }[]>
  applyVerdicts(results: object[]): Promise<unknown>
  append(edit: object): Promise<unknown>
  summary(): Promise<{ count: number }>
}
declare const openStore: (owner: object, key: CryptoKey) => Promise<LongStore>

/** Leaves the store as `longStore` on the page. */
export async function fillLog({ count, owner, phones }: LongLog): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const { deviceId, tenantId, userId } = owner
  const store = await openStore({ ...owner, country: () => 'KE', tenantId: () => tenantId }, key)
  const portion = 5_000
  for (let from = 0; from < count; from += portion) {
    const all = Array.from({ length: Math.min(portion, count - from) }, (_, n) => ({
      id: crypto.randomUUID(),
      values: {
        firstName: `Amina ${from + n}`,
        lastName: 'Otieno',
        phonenumber: `${phones}${String(from + n).padStart(10 - phones.length, '0')}`,
        city: 'Nairobi',
      },
    }))
    await store.takeOver({
      log: all.map((one, n) => ({
        clientSeq: from + n + 1,
        changeId: crypto.randomUUID(),
        schema: 1,
        deviceId,
        tenantId,
        userId,
        version: 0,
        entityId: one.id,
        entityType: 'lead',
        dateModified: new Date(0).toISOString(),
        changeType: 'INSERT',
        patch: {},
        snapshot: one.values,
        deps: [],
        attempts: 0,
        sent: 0,
        state: 'pending',
      })),
      attention: [],
      files: [],
      entities: all.map((one) => ({ type: 'lead', id: one.id, version: 0, state: 'pending', server: null, local: one.values })),
    })
  }
  Object.assign(globalThis, { longStore: store })
}
