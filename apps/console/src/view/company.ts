import { useLayout } from '../data/queries.ts'

/** Currency and country of the company on the screen. */
export function useCompany(): { currency: string; country: string } {
  const { data } = useLayout()
  return { currency: data?.company.currency ?? '', country: data?.company.country ?? '' }
}
