/** `npm run lint` checks with it that each link in a Markdown file leads to a file, and each #anchor to a heading. */
import remarkGfm from "remark-gfm";
import remarkValidateLinks from "remark-validate-links";

export default {
  // Without a repository, links are checked on disk alone, and nothing is asked of the network.
  plugins: [remarkGfm, [remarkValidateLinks, { repository: false }]],
};
