"""``python -m ruleslawyer`` is the command ``rules``."""

from ruleslawyer.cli import main

if __name__ == "__main__":
    main()
