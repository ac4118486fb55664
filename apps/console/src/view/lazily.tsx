import { createElement, lazy, useState } from 'react'
import type { ComponentType } from 'react'

/** A component that is loaded when it is first drawn, or before. */
export interface LoadedLater<Props extends object> {
  (props: Props): React.ReactElement
  /** Loads it ahead; drawn after that, it is there at once. */
  load(): Promise<unknown>
}

/**
 * `lazy` of React, but what has been loaded is drawn without a wait: React shows the fallback of a resolved `lazy` in an urgent
 * render, and keeps a fallback that it has shown for 300 ms.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async () => ({ default: (loaded = await load()) })
  const Later = lazy(loadOnce) as unknown as ComponentType<Props>
  const Either = (props: Props) => {
    // The same one as long as it is drawn: another would begin anew.
    const [Chosen] = useState(() => loaded ?? Later)
    return createElement(Chosen, props)
  }
  return Object.assign(Either, { load: loadOnce })
}
