import type { ReactNode } from "react";
import { CallList } from "./CallList.tsx";
import { ListBar } from "./ListBar.tsx";
import { LiveRegion } from "./LiveRegion.tsx";
import { Menu } from "./Menu.tsx";
import { Icon } from "./parts.tsx";
import { useSelect, useWords, ViewContext, type View } from "./store.ts";

/** The whole panel. */
export function Panel({ view }: { readonly view: View }): ReactNode {
  return (
    <ViewContext value={view}>
      <Frame />
    </ViewContext>
  );
}

function Frame(): ReactNode {
  const words = useWords();
  return (
    <main className="panel" data-testid="review-panel">
      <h1 className="unseen">{words.say("panel.label")}</h1>
      <ListBar />
      <Notices />
      <CallList />
      <LiveRegion />
      <Menu />
    </main>
  );
}

/** What a person must know about all calls at once. */
function Notices(): ReactNode {
  const words = useWords();
  const trusted = useSelect((state) => state.host.trusted);
  const wrongVersion = useSelect((state) => state.host.wrongVersion);
  const storeNotice = useSelect((state) => state.host.storeNotice);
  return (
    <>
      {wrongVersion && <Notice icon="warning" text={words.say("panel.wrongVersion")} />}
      {!trusted && <Notice icon="shield" text={words.say("panel.untrusted")} />}
      {storeNotice !== null && <Notice icon="database" text={storeNotice} />}
    </>
  );
}

interface NoticeProps {
  readonly icon: string;
  readonly text: string;
}

function Notice({ icon, text }: NoticeProps): ReactNode {
  return (
    <p className="notice" role="note">
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  );
}
