import { useState } from 'react'

/** A place the user went to from the palette. */
export interface Recent {
  label: string
  path: string
  kind?: string
  place?: string
}

const most = 6

/** The last places of this user on this device, newest first. */
export function useRecents(userId: string): { recents: Recent[]; remember: (recent: Recent) => void } {
  const key = `outpost.recents.${userId}`
  const [recents, setRecents] = useState(() => read(key))
  const remember = (recent: Recent): void => {
    const next = [recent, ...recents.filter((one) => one.path !== recent.path)].slice(0, most)
    setRecents(next)
    // The session of the tab only: titles of records are personal data.
    sessionStorage.setItem(key, JSON.stringify(next))
  }
  return { recents, remember }
}

function read(key: string): Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]') as Recent[]
  } catch {
    return []
  }
}
