# SPDX-License-Identifier: Apache-2.0
# fish completion of countersink. The command itself says what a word may become.
function __countersink_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l value (string replace -r -- '^--[^=]*=' '' "$last")
    for reply in ($words[1] help --complete -- $words[2..-1] "$last" 2>/dev/null)
        switch $reply
            case ':files'
                __fish_complete_path "$value"
            case ':folders'
                __fish_complete_directories "$value"
            case ':yaml'
                __fish_complete_path "$value" | string match -r '^[^\t]*(?:/|\.yaml)(?:\t.*)?$'
            case '*'
                echo $reply
        end
    end
end
complete -c countersink -f -a '(__countersink_complete)'
