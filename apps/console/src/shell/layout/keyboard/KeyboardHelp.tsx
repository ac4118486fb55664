import { Modal, Switch } from 'antd'
import { useState } from 'react'
import { areSingleKeysOn, shortcuts, switchSingleKeys } from './shortcuts.ts'

/** All shortcuts, and the switch for those of a single key. */
export function KeyboardHelp({ close }: { close: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)
  const groups = [...new Set(shortcuts.map((shortcut) => shortcut.group))]
  const change = (next: boolean): void => {
    switchSingleKeys(next)
    setOn(next)
  }
  return (
    <Modal open title="Keyboard shortcuts" footer={null} onCancel={close}>
      {groups.map((group) => (
        <section key={group} className="o-keys">
          <h2>{group}</h2>
          <dl>
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map(({ keys, label, isSingleKey }) => (
                <div key={label} data-off={(isSingleKey && !isOn) || undefined}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <label className="o-keys-switch">
        <Switch checked={isOn} onChange={change} aria-label="Shortcuts of a single key" /> Shortcuts of a single key
      </label>
    </Modal>
  )
}
