import { expect } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'

type Caller = Pick<SignedInClient, 'post'>

/** Terms that the products of the tests have where they do not say otherwise. */
export const usualTerms = {
  minAmount: 1_000,
  maxAmount: 50_000,
  minInstalments: 3,
  maxInstalments: 24,
  annualRate: 24,
  effectiveFrom: '2026-01-01',
}

/** A category with a product without terms; its id. */
export async function makeProduct(by: Caller, code: string): Promise<string> {
  const category = await by.post<{ productCategory: { Id: string } }>('/api/products/categories', { name: `Loans ${code}` })
  expect(category.status, category.text).toBe(200)
  const made = await by.post<{ product: { Id: string } }>('/api/products', {
    name: `Loan ${code}`,
    code,
    categoryId: category.body.data.productCategory.Id,
  })
  expect(made.status, made.text).toBe(200)
  return made.body.data.product.Id
}

/** A version of a product's terms that is a draft; its id. */
export async function draftVersion(by: Caller, productId: string, terms: object = {}): Promise<string> {
  const { body, status, text } = await by.post<{ productVersion: { Id: string } }>('/api/products/versions', {
    productId,
    ...usualTerms,
    ...terms,
  })
  expect(status, text).toBe(200)
  return body.data.productVersion.Id
}

/** The same, published; its id. */
export async function publishVersion(by: Caller, productId: string, terms: object = {}): Promise<string> {
  const id = await draftVersion(by, productId, terms)
  const moved = await by.post(`/api/products/versions/${id}/move`, { move: 'publish' })
  expect(moved.status, moved.text).toBe(200)
  return id
}

/** A product with one published version; its id. */
export async function publishProduct(by: Caller, code: string, terms: object = {}): Promise<string> {
  const productId = await makeProduct(by, code)
  await publishVersion(by, productId, terms)
  return productId
}
