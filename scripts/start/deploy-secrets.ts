import { randomBytes } from 'node:crypto'
import { z } from 'zod'

/** Settings of whoever deploys; no server reads them. */
export const deploySettings = {
  /** Of the roles that change tables (fx_migrate, fx_datafix); default: drawn anew by each deployment, so that nobody knows it between two. */
  DEPLOY_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Of the geo service's roles; default: the master secret. */
  GEO_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
}
export interface DeploySettings {
  DEPLOY_SECRET?: string | undefined
  GEO_SECRET?: string | undefined
}

/** The secrets that a deployment sets roles' passwords from, beside the master secret. */
export function secretsOfDeployment({ DEPLOY_SECRET, GEO_SECRET }: DeploySettings): { deploySecret: string; geoSecret: string | undefined } {
  return { deploySecret: DEPLOY_SECRET ?? randomBytes(32).toString('hex'), geoSecret: GEO_SECRET }
}
