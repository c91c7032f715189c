// What a move gives away, in words.

import { amount } from "./score.js";
import { texts } from "./texts.js";

/** What is given away: seeds between two numbers, or about so many where the engine guessed. */
export function lossText({ loss: [least, most], guess }) {
  return guess ? texts.lossGuessed(amount(least)) : texts.loss(least, most);
}
