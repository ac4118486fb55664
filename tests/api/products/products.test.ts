import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
const categories = new Map<string, string>()
let number = 0

/** Terms with all that is required. */
const terms = {
  creditType: 'unsecured',
  minAmount: 1_000,
  maxAmount: 50_000,
  minInstalments: 3,
  maxInstalments: 12,
  annualRate: 24,
  effectiveFrom: '2026-01-01',
}
type By = keyof World['as']
interface Version {
  Id: string
  number: number
  state: string
  annualRate: number
  version: number
  publishedAt: string | null
  fees: { Id: string; name: string; amount: number }[]
  [key: string]: unknown
}

const category = async (by: By, name = `Loans ${(number += 1)}`, parentId: string | null = null) => {
  const answer = await world.as[by].post<{ productCategory: { Id: string } }>('/api/products/categories', { name, parentId })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.productCategory.Id
}
const product = async (by: By = 'admin', body: object = {}) => {
  if (!categories.has(by)) categories.set(by, await category(by))
  const code = `P${(number += 1)}`
  const answer = await world.as[by].post<{ product: { Id: string } }>('/api/products', {
    name: `Product ${code}`,
    code,
    categoryId: categories.get(by),
    ...body,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.product.Id
}
const version = async (productId: string, body: object = {}, by: By = 'admin') => {
  const answer = await world.as[by].post<{ productVersion: Version }>('/api/products/versions', { productId, ...terms, ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.productVersion
}
const move = (id: string, name: string, by: By = 'admin', more: object = {}) =>
  world.as[by].post<{ productVersion: Version }>(`/api/products/versions/${id}/move`, { move: name, ...more })
const published = async (body: object = {}, by: By = 'admin') => {
  const productId = await product(by)
  const made = await version(productId, body, by)
  const answer = await move(made.Id, 'publish', by)
  expect(answer.status, answer.text).toBe(200)
  return { productId, versionId: made.Id }
}
const configurator = async (by: By) => {
  const { body } = await world.as[by].get<{
    productConfigurator: { productId: string; productCategoryId: string; productCategoryName: string }[]
  }>('/api/onboarding/product/product-configurator?page=1&size=1000&sortField=dateCreated&sortOrder=DESC&search=')
  return body.data.productConfigurator
}

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('categories', () => {
  it('lie in one another, never in a circle and never twice by a name', async () => {
    const outer = await category('admin', 'Payroll')
    const within = await category('admin', 'Teachers', outer)
    const circle = await world.as.admin.put(`/api/products/categories/${outer}`, { parentId: within })
    expect([circle.status, fieldsOf(circle)]).toEqual([422, ['parentId']])
    const twin = await world.as.admin.post('/api/products/categories', { name: 'TEACHERS', parentId: outer })
    expect([twin.status, fieldsOf(twin)]).toEqual([422, ['name']])
    expect((await world.as.admin.post('/api/products/categories/delete', { ids: [outer] })).status).toBe(409)
    expect((await world.as.admin.post('/api/products/categories/delete', { ids: [within] })).status).toBe(200)
  })

  it('are one when five ask for the same at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => world.as.admin.post('/api/products/categories', { name: 'At once' })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
  })
})

describe('a product', () => {
  it('has a code of its own, and is out of another company’s sight and reach', async () => {
    const id = await product('admin', { code: 'SAME' })
    const again = await world.as.admin.post('/api/products', { name: 'Again', code: 'same', categoryId: categories.get('admin') })
    expect([again.status, again.body.code, fieldsOf(again)]).toEqual([409, 'DUPLICATE_PRODUCT', ['code']])
    expect((await world.as.foreign.get(`/api/products/${id}`)).status).toBe(404)
    expect((await world.as.foreign.put(`/api/products/${id}`, { name: 'Mine' })).status).toBe(404)
    const theirs = await world.as.foreign.post('/api/products', { name: 'Theirs', code: 'X', categoryId: categories.get('admin') })
    expect([theirs.status, fieldsOf(theirs)]).toEqual([422, ['categoryId']])
    const taken = await world.as.foreign.post('/api/products/versions', { productId: id, ...terms })
    expect([taken.status, fieldsOf(taken)]).toEqual([422, ['productId']])
  })

  it('is on offer once a version is published and in force: by the specification’s call, with its category', async () => {
    const before = await configurator('officer')
    const draft = await product()
    await version(draft)
    const { productId } = await published()
    const later = await published({ effectiveFrom: '2099-01-01' })
    const over = await published({ effectiveUntil: '2026-01-31' })
    const rows = await configurator('officer')
    expect(rows.length).toBe(before.length + 1)
    expect(rows.find((row) => row.productId === productId)).toMatchObject({
      productCategoryId: categories.get('admin'),
      productCategoryName: expect.stringMatching(/^Loans/) as string,
    })
    expect(rows.map((row) => row.productId)).not.toEqual(expect.arrayContaining([later.productId, over.productId]))
    expect((await world.as.officer.get(`/api/products/${draft}`)).status).toBe(404)
    expect((await world.as.admin.get(`/api/products/${draft}`)).status).toBe(200)
    expect(await configurator('foreign')).toEqual([])
  })

  it('is set up by who may', async () => {
    expect((await world.as.officer.post('/api/products', { name: 'A', code: 'A', categoryId: categories.get('admin') })).status).toBe(403)
    expect((await world.as.manager.get('/api/products/versions')).status).toBe(403)
  })
})

describe('a version', () => {
  it('is counted in its product, once each when five are begun at once', async () => {
    const id = await product()
    const all = await Promise.all(Array.from({ length: 5 }, () => version(id)))
    expect(all.map((one) => one.number).toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    ['a range upside down', { minAmount: 10, maxAmount: 9 }, ['maxAmount']],
    ['instalments upside down', { minInstalments: 4, maxInstalments: 3 }, ['maxInstalments']],
    ['a balloon without its part', { method: 'balloon' }, ['balloonPercent']],
    ['a penalty without its amount', { penaltyKind: 'flat' }, ['penaltyAmount']],
    ['insurance without its rate', { insuranceKind: 'perMilleOfBalance' }, ['insuranceRate']],
    ['grace on every instalment', { graceOnPrincipal: 3 }, ['graceOnPrincipal']],
    ['an end before its beginning', { effectiveUntil: '2025-12-31' }, ['effectiveUntil']],
    ['an order of payment there is none of', { allocation: 'fee,fee,fee,fee' }, ['allocation']],
    [
      'fees that leave nothing',
      { fees: [{ name: 'All', amount: 100, kind: 'percentOfPrincipal', due: 'deducted', role: 'other' }] },
      ['fees'],
    ],
    ['a rate below nothing', { annualRate: -1 }, ['annualRate']],
  ])('is refused with %s, naming the field', async (_, over, fields) => {
    const answer = await world.as.admin.post('/api/products/versions', { productId: await product(), ...terms, ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
  })

  it('never changes once it is published: neither terms nor fees, nor by deleting it, nor past the program', async () => {
    const fees = [{ name: 'Processing', role: 'initiation', kind: 'flat', amount: 100, due: 'deducted' }]
    const { versionId, productId } = await published({ fees })
    const { body } = await world.as.admin.get<{ productVersion: Version }>(`/api/products/versions/${versionId}`)
    expect(body.data.productVersion).toMatchObject({ state: 'Published', fees: [{ name: 'Processing', amount: 100 }] })
    expect(body.data.productVersion.publishedAt).not.toBeNull()
    const url = `/api/products/versions/${versionId}`
    expect((await world.as.admin.put(url, { annualRate: 99 })).status).toBe(409)
    expect((await world.as.admin.put(url, { fees: [] })).status).toBe(409)
    expect((await world.as.admin.post('/api/products/versions/delete', { id: versionId })).status).toBe(409)
    expect((await world.as.admin.put<{ productVersion: Version }>(url, { state: 'Draft' })).body.data.productVersion.state).toBe(
      'Published',
    )
    await expect(world.app.database.admin.query('update product_version set "annualRate" = 1 where id = $1', [versionId])).rejects.toThrow(
      'never changes',
    )
    const back = await world.as.admin.put(url, { ...body.data.productVersion, version: undefined })
    expect(back.status, back.text).toBe(200)
    const next = await world.as.admin.post<{ productVersion: Version }>(`/api/products/${productId}/versions`)
    expect(next.body.data.productVersion).toMatchObject({ number: 2, state: 'Draft', annualRate: 24, fees: [{ name: 'Processing' }] })
    expect(next.body.data.productVersion.fees[0]?.Id).not.toBe(body.data.productVersion.fees[0]?.Id)
    expect((await world.as.admin.post(`/api/products/${productId}/versions`)).status).toBe(409)
    expect((await move(versionId, 'retire')).status).toBe(422)
    expect((await move(versionId, 'retire', 'admin', { reason: 'Too dear' })).body.data.productVersion.state).toBe('Retired')
    expect((await configurator('officer')).map((row) => row.productId)).not.toContain(productId)
  })

  it('is put back as it was read', async () => {
    const made = await version(await product(), { fees: [{ name: 'F', role: 'other', kind: 'flat', amount: 5, due: 'financed' }] })
    const { body } = await world.as.admin.get<{ productVersion: Version }>(`/api/products/versions/${made.Id}`)
    const answer = await world.as.admin.put<{ productVersion: Version }>(`/api/products/versions/${made.Id}`, body.data.productVersion)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data.productVersion).toMatchObject({ annualRate: 24, fees: body.data.productVersion.fees })
  })
})

describe('the simulator', () => {
  it('says what a loan of a draft costs, to the cent, and what a sample borrower has left', async () => {
    const made = await version(await product(), { minInstalments: 12 })
    const { body, status } = await world.as.admin.get<Record<string, never>>(
      `/api/products/versions/${made.Id}/simulate?amount=10000&instalments=12&income=5000&expenses=3000&disbursedOn=2026-01-30`,
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      quote: { instalment: '945.60', totalPaid: '11347.15', totalCost: '1347.15', totalInterest: '1347.15' },
      leftOver: '1054.40',
      shareOfIncome: 18.91,
      hasCaps: false,
      broken: [],
    })
    expect((body.data as unknown as { quote: { rows: unknown[] } }).quote.rows).toHaveLength(12)
    const beyond = await world.as.admin.get(`/api/products/versions/${made.Id}/simulate?amount=999&instalments=13`)
    expect([beyond.status, fieldsOf(beyond)]).toEqual([422, ['amount', 'instalments']])
    expect((await world.as.foreign.get(`/api/products/versions/${made.Id}/simulate`)).status).toBe(404)
  })

  it.each(['cs-affordability', 'sme-affordability', 'lbf-affordability'])(
    'runs the rules of %s, which the product asks for, on the sample borrower',
    async (calculator) => {
      const made = await version(await product(), { calculator })
      const run = async (query: string) => {
        const answer = await world.as.admin.get<{ affordability: Record<string, string> | null }>(
          `/api/products/versions/${made.Id}/simulate?${query}`,
        )
        expect(answer.status, answer.text).toBe(200)
        return answer.body.data.affordability
      }
      // Nobody is assessed without an income.
      expect(await run('amount=10000&instalments=12')).toBeNull()
      const rich = await run('amount=10000&instalments=12&income=100000&expenses=20000')
      expect(rich).toMatchObject({ outcome: 'PASS', reasons: [], instalment: '945.60' })
      expect(Number(rich?.['affordable'])).toBeGreaterThan(945.6)
      const poor = await run('amount=10000&instalments=12&income=900&expenses=600')
      expect(poor).toMatchObject({ outcome: 'FAIL' })
      expect(poor?.['reasons']).not.toEqual([])
      expect(Number(poor?.['affordable'])).toBeLessThan(945.6)
    },
  )

  it('counts the instalment of the product, fees within, where the calculator alone would let it pass; by the rules of the company in force', async () => {
    const fees = [{ name: 'Keeping', role: 'service', kind: 'flat', amount: 3_000, due: 'perInstalment' }]
    const made = await version(await product(), { calculator: 'sme-affordability', fees })
    const run = async () =>
      (
        await world.as.admin.get<{ affordability: Record<string, unknown> }>(
          `/api/products/versions/${made.Id}/simulate?amount=10000&instalments=12&income=6000&expenses=2000`,
        )
      ).body.data.affordability
    const dear = await run()
    expect(dear).toMatchObject({ outcome: 'FAIL', instalment: '3945.60' })
    expect(String(dear['reasons'])).toContain('3945.60 a month')
    const none = await version(await product(), {})
    const without = await world.as.admin.get<{ affordability: null }>(`/api/products/versions/${none.Id}/simulate?income=5000`)
    expect(without.body.data.affordability).toBeNull()
    const beyond = await version(await product(), {
      calculator: 'cs-affordability',
      minInstalments: 600,
      maxInstalments: 600,
      everyUnit: 'month',
    })
    const long = await world.as.admin.get<{ affordability: Record<string, unknown> }>(
      `/api/products/versions/${beyond.Id}/simulate?income=5000`,
    )
    expect(long.body.data.affordability).toMatchObject({ outcome: 'FAIL', ruleSet: null })
  })
})

describe('caps of a country', () => {
  it('keep a version from being published, with the rule named, until it keeps to them', async () => {
    const south = await world.app.make.company({ name: 'Baobab', country: 'ZA', currency: 'ZAR' })
    const admin = await world.app.as(await world.app.make.user({ company: south, role: 'admin' }))
    const { Id: categoryId } = (await admin.post<{ productCategory: { Id: string } }>('/api/products/categories', { name: 'Loans' })).body
      .data.productCategory
    const made = await admin.post<{ product: { Id: string } }>('/api/products', { name: 'Loan', code: 'L', categoryId })
    const fees = [
      { name: 'Initiation', role: 'initiation', kind: 'flat', amount: 1_000, due: 'financed' },
      { name: 'Service', role: 'service', kind: 'flat', amount: 69, due: 'perInstalment' },
    ]
    const first = await admin.post<{ productVersion: Version }>('/api/products/versions', {
      productId: made.body.data.product.Id,
      ...terms,
      annualRate: 30,
      insuranceKind: 'perMilleOfBalance',
      insuranceRate: 5,
      fees,
    })
    const { Id } = first.body.data.productVersion
    const publish = () => admin.post<{ productVersion: Version }>(`/api/products/versions/${Id}/move`, { move: 'publish' })
    const refused = await publish()
    expect(refused.status).toBe(409)
    for (const rule of [
      'Interest cap (NCA reg 42',
      'reference rate',
      'Initiation fee (NCA reg 42 Table B)',
      'Service fee (NCA reg 44)',
      'Credit life premium',
    ])
      expect(refused.body.message).toContain(rule)
    const rate = await admin.post('/api/calculators/rule-sets', {
      calculator: 'cs-affordability',
      effectiveFrom: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
      referenceRate: 7,
    })
    expect(rate.status, rate.text).toBe(200)
    await admin.put(`/api/products/versions/${Id}`, { effectiveFrom: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10) })
    expect((await publish()).body.message).toContain('30 % a year is above 28 % a year')
    const { fees: stored } = (await admin.get<{ productVersion: Version }>(`/api/products/versions/${Id}`)).body.data.productVersion
    const lower = stored.map((fee) => ({ ...fee, amount: fee.name === 'Service' ? 60 : 165 }))
    const changed = await admin.put(`/api/products/versions/${Id}`, { annualRate: 28, insuranceRate: 4.5, fees: lower })
    expect(changed.status, changed.text).toBe(200)
    expect((await publish()).body.data.productVersion.state).toBe('Published')
  })
})

describe('the matrix of tenants and products', () => {
  type Cells = {
    tenants: { Id: string; name: string; cells: { productId: string; isOffered: boolean; isOwn: boolean; from: string | null }[] }[]
  }
  const set = (by: By, tenantId: string, productId: string, isOffered: boolean | null) =>
    world.as[by].put<Cells>('/api/products/offers', { tenantId, productId, isOffered })
  const cellIn = (data: Cells, tenantId: string, productId: string) =>
    data.tenants.find(({ Id }) => Id === tenantId)?.cells.find((cell) => cell.productId === productId)

  it('inherits down the tree, marks what is a tenant’s own, and decides what is on offer there', async () => {
    const { productId } = await published()
    const { company, branch, team, other } = world
    const onOffer = async (by: By) => (await configurator(by)).some((row) => row.productId === productId)
    expect(await onOffer('officer')).toBe(true)
    const { body } = await set('admin', branch.id, productId, false)
    expect(cellIn(body.data, branch.id, productId)).toMatchObject({ isOffered: false, isOwn: true, from: null })
    expect(cellIn(body.data, team.id, productId)).toMatchObject({ isOffered: false, isOwn: false, from: branch.name })
    expect(cellIn(body.data, other.id, productId)).toMatchObject({ isOffered: true, isOwn: false, from: null })
    expect([await onOffer('officer'), await onOffer('elsewhere'), await onOffer('manager')]).toEqual([false, true, false])
    await set('admin', team.id, productId, true)
    expect([await onOffer('officer'), await onOffer('manager')]).toEqual([true, false])
    await set('admin', team.id, productId, null)
    expect(await onOffer('officer')).toBe(false)
    await set('admin', branch.id, productId, null)
    await set('admin', company.id, productId, false)
    expect([await onOffer('officer'), await onOffer('elsewhere')]).toEqual([false, false])
  })

  it('keeps one mark when five set it at once, and lets nobody set another company’s', async () => {
    const { productId } = await published()
    const all = await Promise.all(Array.from({ length: 5 }, () => set('admin', world.branch.id, productId, false)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await set('foreign', world.branch.id, productId, true)).status).toBe(404)
    const theirs = await published({}, 'foreign')
    expect((await set('foreign', world.branch.id, theirs.productId, true)).status).toBe(404)
    expect((await set('admin', world.branch.id, theirs.productId, true)).status).toBe(404)
    expect((await set('officer', world.team.id, productId, true)).status).toBe(403)
    const role = await world.app.make.role({ company: world.company, name: 'Branch set-up', permissions: ['ADMIN/TENANTS/EDIT'] })
    const local = await world.app.as(await world.app.make.user({ tenant: world.branch, role }))
    expect((await local.put('/api/products/offers', { tenantId: world.other.id, productId, isOffered: true })).status).toBe(404)
    const own = await local.put<Cells>('/api/products/offers', { tenantId: world.team.id, productId, isOffered: true })
    expect(own.body.data.tenants.map(({ Id }) => Id).toSorted()).toEqual([world.branch.id, world.team.id].toSorted())
  })
})
