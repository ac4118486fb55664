import { call } from '../../data/calls.ts'

export interface AssetOption {
  value: string
  label: string
}

/** All assets of the caller to choose from, by registration number. */
export async function assetOptions(signal: AbortSignal): Promise<AssetOption[]> {
  const { data } = await call('assets.list', { query: { size: 1_000, sortField: 'registrationNumber', sortOrder: 'ASC' } }, { signal })
  return data.assets.map((one) => ({
    value: one.Id,
    label: [one.registrationNumber, one.make].filter(Boolean).join(' '),
  }))
}
