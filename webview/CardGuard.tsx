import { Component, type ReactNode } from "react";
import type { Words } from "./strings.ts";

interface CardGuardProps {
  readonly words: Words;
  readonly children: ReactNode;
}

interface CardGuardState {
  readonly broken: boolean;
}

/** Keeps a card that cannot be drawn, which is a bug of ours, from taking the whole list with it. */
export class CardGuard extends Component<CardGuardProps, CardGuardState> {
  override state: CardGuardState = { broken: false };

  static getDerivedStateFromError(): CardGuardState {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return <p className="call broken">{this.props.words.say("list.broken")}</p>;
  }
}
