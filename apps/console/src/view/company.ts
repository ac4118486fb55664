import { useFrame } from '../data/queries.ts'

/** Currency and country of the company on the screen. */
export function useCompany(): { currency: string; country: string } {
  const { data } = useFrame()
  return { currency: data?.company.currency ?? '', country: data?.company.country ?? '' }
}
